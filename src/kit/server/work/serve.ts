// The side of a process that works: payloads come as frames on its standard input, and results go out on its standard output.
import { Console } from 'node:console';
import type { Text } from '#kit/contract/text.ts';
import { answers, frame, mostPayload, readFrames } from './frames.ts';

/** What came of a payload: bytes, or why it is refused. */
export type Result = { bytes: Buffer } | { refused: Text };

/** Does `work` with each payload until the input ends. The process outlives signals: the server finishes what is under way. */
export function serve(work: (payload: Buffer) => Promise<Result> | Result) {
  // What a package prints would be read as a frame.
  globalThis.console = new Console(process.stderr);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const answer = (kind: (typeof answers)[number], bytes: Buffer) => {
    for (const part of frame(answers.indexOf(kind), bytes)) process.stdout.write(part);
  };
  const take = async ({ bytes }: { bytes: Buffer }) => {
    try {
      const result = await work(bytes);
      if ('refused' in result) answer('refused', Buffer.from(JSON.stringify(result.refused)));
      else answer('done', result.bytes);
    } catch (error) {
      answer('failed', Buffer.from(error instanceof Error ? (error.stack ?? error.message) : String(error)));
    }
  };
  readFrames(process.stdin, { take: (whole) => void take(whole), most: mostPayload, refuse: () => process.exit(1) });
  // Whichever end the server closes first, its own end is this one's.
  process.stdin.once('end', () => process.exit());
  process.stdout.once('error', () => process.exit());
  answer('ready', Buffer.alloc(0));
}
