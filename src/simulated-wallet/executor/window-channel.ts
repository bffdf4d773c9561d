/**
 * One end of MetaMask's post-message stream (`@metamask/post-message-stream`): messages to and from another
 * window, after both have said hello.
 */
export type WindowChannel = {
  /** Messages sent before the other side is there are kept for it. */
  readonly send: (data: unknown) => void;
  readonly close: () => void;
};

type Options = {
  readonly name: string;
  readonly peer: string;
  readonly window: Window;
  readonly onMessage: (data: unknown) => void;
};

const HELLO = 'SYN';
const HEARD = 'ACK';

const isFor = (name: string, message: unknown): message is { readonly data: unknown } =>
  typeof message === 'object' &&
  message !== null &&
  'data' in message &&
  'target' in message &&
  message.target === name;

export function openWindowChannel({ name, peer, window: peerWindow, onMessage }: Options): WindowChannel {
  const waiting: unknown[] = [];
  let isOpen = false;
  let hasHello = false;

  // The frame is sandboxed: its origin is opaque, and cannot be named.
  const post = (data: unknown): void => {
    peerWindow.postMessage({ target: peer, data }, '*');
  };

  const greet = (data: unknown): void => {
    if (data === HELLO) {
      hasHello = true;
      post(HEARD);
    } else if (data === HEARD) {
      isOpen = true;
      if (!hasHello) post(HEARD);
      for (const message of waiting.splice(0)) post(message);
    }
  };

  const receive = ({ source, data: message }: MessageEvent): void => {
    if (source !== peerWindow || !isFor(name, message)) return;
    if (isOpen) onMessage(message.data);
    else greet(message.data);
  };

  window.addEventListener('message', receive);
  post(HELLO);
  return {
    send: (data) => {
      if (isOpen) post(data);
      else waiting.push(data);
    },
    close: () => {
      window.removeEventListener('message', receive);
    },
  };
}
