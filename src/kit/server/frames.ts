import type { Readable } from 'node:stream';

/** Bytes with a number and a tag, as they go over a pipe. */
export interface Frame {
  number: number;
  /** 0 to 255; what it means is the business of both ends. */
  tag: number;
  bytes: Buffer;
}

const headLength = 9;

/** What to write for one frame. The bytes are not copied: of pictures that would be most of the work. */
export function frame(number: number, tag: number, bytes: Buffer): [Buffer, Buffer] {
  const head = Buffer.alloc(headLength);
  head.writeUInt32BE(number, 0);
  head.writeUInt8(tag, 4);
  head.writeUInt32BE(bytes.length, 5);
  return [head, bytes];
}

/** Tells of every frame that comes whole; each byte is copied once, into its frame. */
export function readFrames(from: Readable, take: (frame: Frame) => void) {
  const head = Buffer.alloc(headLength);
  let [headFilled, filled] = [0, 0];
  let body: Buffer | undefined;
  from.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; ) {
      if (!body) {
        const copied = chunk.copy(head, headFilled, at);
        headFilled += copied;
        at += copied;
        if (headFilled < headLength) return;
        body = Buffer.allocUnsafeSlow(head.readUInt32BE(5));
      }
      const copied = chunk.copy(body, filled, at);
      filled += copied;
      at += copied;
      if (filled < body.length) return;
      const whole = { number: head.readUInt32BE(0), tag: head.readUInt8(4), bytes: body };
      [headFilled, filled, body] = [0, 0, undefined];
      take(whole);
    }
  });
}
