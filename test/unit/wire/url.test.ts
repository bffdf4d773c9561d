import { ServiceUrlStruct } from '../../../src/wire/url';

describe('the address of a service', () => {
  it.each([
    'https://bundler.example/rpc?apikey=1',
    'https://bundler.example:8443',
    'https://8.8.8.8/rpc',
    'https://[2606:4700::1111]/rpc',
    'http://localhost:4337',
    'http://127.0.0.1:4337/rpc',
    'http://127.0.0.2',
    'http://[::1]:4337',
    'https://xn--bndler-3ya.example',
    'HTTPS://Bundler.example/RPC',
    'https://bundler.example?key=a@b',
  ])('may be %s', (url) => {
    expect(ServiceUrlStruct.is(url)).toBe(true);
  });

  it.each([
    '',
    'bundler.example',
    'http://bundler.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'ws://localhost:4337',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user@bundler.example',
    'https://user:password@bundler.example',
    'https://bundler.example/#part',
    'https://10.0.0.1/rpc',
    'https://172.16.0.1',
    'https://192.168.1.1',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1',
    'https://0.0.0.0',
    'https://[fd00::1]',
    'https://[fe80::1]',
    'https://[::]',
    'https://[::ffff:10.0.0.1]',
    'http://2130706433:4337',
    'http://0x7f.1:4337',
    'http://127.1',
    'http://localhost.:4337',
    'https://localhost.',
    'https://LOCALHOST./rpc',
    'http://127.0.0.1.:4337',
    'http://0177.0.0.1',
    'http://[::ffff:127.0.0.1]:4337',
    'https://[::127.0.0.1]',
    'http://[0:0:0:0:0:0:0:1]',
    'http://@localhost',
    'https://bundler.example.',
    'https://bundler.example#',
    'https://bündler.example',
    ' https://bundler.example',
    'https://bundler.example/a b',
    'https:\\\\bundler.example',
    `https://bundler.example/${'a'.repeat(2100)}`,
    7,
    null,
    ['https://bundler.example'],
  ])('may not be %s', (url) => {
    expect(ServiceUrlStruct.is(url)).toBe(false);
  });
});
