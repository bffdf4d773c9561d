/**
 * One end of MetaMask's post-message stream (`@metamask/post-message-stream`): messages to and from another window,
 * after a handshake.
 */
export type WindowChannel = {
  /** Sends a message. Messages before the handshake are queued. */
  readonly send: (data: unknown) => void;
  readonly close: () => void;
};

type Options = {
  readonly name: string;
  readonly peer: string;
  readonly window: Window;
  readonly onMessage: (data: unknown) => void;
};

const SYN = 'SYN';
const ACK = 'ACK';

const isFor = (name: string, message: unknown): message is { readonly data: unknown } =>
  typeof message === 'object' &&
  message !== null &&
  'data' in message &&
  'target' in message &&
  message.target === name;

export function openWindowChannel({ name, peer, window: peerWindow, onMessage }: Options): WindowChannel {
  const queue: unknown[] = [];
  let isOpen = false;
  let hasReceivedSyn = false;

  // '*' because the frame is sandboxed: its origin is opaque and cannot be named.
  const post = (data: unknown): void => peerWindow.postMessage({ target: peer, data }, '*');

  const handshake = (data: unknown): void => {
    if (data === SYN) {
      hasReceivedSyn = true;
      post(ACK);
    } else if (data === ACK) {
      isOpen = true;
      if (!hasReceivedSyn) post(ACK);
      for (const message of queue.splice(0)) post(message);
    }
  };

  const receive = ({ source, data: message }: MessageEvent): void => {
    if (source !== peerWindow || !isFor(name, message)) return;
    if (isOpen) onMessage(message.data);
    else handshake(message.data);
  };

  window.addEventListener('message', receive);
  post(SYN);
  return {
    send: (data) => {
      if (isOpen) post(data);
      else queue.push(data);
    },
    close: () => window.removeEventListener('message', receive),
  };
}
