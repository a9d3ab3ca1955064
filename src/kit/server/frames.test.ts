import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Frame, frame, readFrames } from './frames.ts';

test('frames come out as they went in, however the pipe cuts them', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((given) => Buffer.from(given));
  const one = fc.record({ number: fc.nat(2 ** 32 - 1), tag: fc.nat(255), bytes });
  fc.assert(
    fc.property(
      fc.array(one, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }),
      (sent, cuts) => {
        const pipe = new PassThrough();
        const got: Frame[] = [];
        readFrames(pipe, (whole) => got.push(whole));
        const all = Buffer.concat(sent.flatMap(({ number, tag, bytes }) => frame(number, tag, bytes)));
        for (let at = 0, turn = 0; at < all.length; turn++) {
          const length = cuts[turn % cuts.length] ?? 1;
          pipe.emit('data', all.subarray(at, at + length));
          at += length;
        }
        expect(got).toEqual(sent);
      },
    ),
  );
});
