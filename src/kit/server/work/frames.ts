import type { Readable } from 'node:stream';

/** Bytes with a tag, as sent over a pipe. */
export interface Frame {
  /** 0 to 255; both ends agree on its meaning. */
  tag: number;
  bytes: Buffer;
}

const headLength = 5;

/** The buffers of one frame. The payload is not copied: for pictures that would be most of the work. */
export function frame(tag: number, bytes: Buffer): [Buffer, Buffer] {
  const head = Buffer.alloc(headLength);
  head.writeUInt8(tag, 0);
  head.writeUInt32BE(bytes.length, 1);
  return [head, bytes];
}

interface Reader {
  take: (frame: Frame) => void;
  /** The most bytes of a frame; beyond it nothing further is read. */
  most: number;
  refuse: () => void;
}

/** Emits every complete frame; each byte is copied once, into its frame. */
export function readFrames(from: Readable, { take, most, refuse }: Reader) {
  const head = Buffer.alloc(headLength);
  let [headFilled, filled] = [0, 0];
  let body: Buffer | undefined;
  const read = (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; ) {
      if (!body) {
        const copied = chunk.copy(head, headFilled, at);
        headFilled += copied;
        at += copied;
        if (headFilled < headLength) return;
        const length = head.readUInt32BE(1);
        if (length > most) {
          from.off('data', read);
          return refuse();
        }
        body = Buffer.allocUnsafeSlow(length);
      }
      const copied = chunk.copy(body, filled, at);
      filled += copied;
      at += copied;
      if (filled < body.length) return;
      const whole = { tag: head.readUInt8(0), bytes: body };
      [headFilled, filled, body] = [0, 0, undefined];
      take(whole);
    }
  };
  from.on('data', read);
}

/** The answers of a child process, by tag. */
export const answers = ['ready', 'done', 'refused', 'failed'] as const;

/** No payload is larger: uploads have 4 MB, a table 7 MB, the longest list some 10 MB. */
export const mostPayload = 64 * 1024 * 1024;
