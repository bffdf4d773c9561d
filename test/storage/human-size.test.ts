import { humanSize } from '../../src/service/storage/routes/human-size';

// As go-humanize 1.0.1, which Kubo 0.27 has, prints them.
test.each([
  [0, '0 B'],
  [9, '9 B'],
  [10, '10 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1049, '1.0 kB'],
  [1050, '1.1 kB'],
  [9949, '9.9 kB'],
  [9950, '10 kB'],
  [10_500, '10 kB'],
  [11_500, '12 kB'],
  [82_854_982, '83 MB'],
  [999_999, '1000 kB'],
  [1_000_000, '1.0 MB'],
  [Number.MAX_SAFE_INTEGER, '9.0 PB'],
])('%d bytes are %s', (bytes, shown) => {
  expect(humanSize(bytes)).toBe(shown);
});
