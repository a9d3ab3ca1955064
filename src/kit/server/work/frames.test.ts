import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Frame, frame, readFrames } from './frames.ts';

const most = 300;

test('frames come out as they went in, however the pipe cuts them', () => {
  const bytes = fc.uint8Array({ maxLength: most }).map((values) => Buffer.from(values));
  const arbitrary = fc.record({ tag: fc.nat(255), bytes });
  fc.assert(
    fc.property(
      fc.array(arbitrary, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }),
      (sent, cuts) => {
        const pipe = new PassThrough();
        const got: Frame[] = [];
        readFrames(pipe, { take: (whole) => got.push(whole), most, refuse: () => expect.unreachable() });
        const all = Buffer.concat(sent.flatMap(({ tag, bytes }) => frame(tag, bytes)));
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

test('D14 a frame that announces too many bytes is refused before there is room made for it', () => {
  const pipe = new PassThrough();
  const got: Frame[] = [];
  let refused = 0;
  readFrames(pipe, { take: (whole) => got.push(whole), most, refuse: () => refused++ });
  const head = Buffer.from([1, 0xff, 0xff, 0xff, 0xff]);
  for (const part of [...frame(0, Buffer.alloc(most)), head, Buffer.alloc(10_000)]) pipe.emit('data', part);
  expect([got.length, refused]).toEqual([1, 1]);
});
