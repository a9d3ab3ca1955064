// The child's side: payloads arrive as frames on standard input, and results leave on standard output.
import { Console } from 'node:console';
import type { Text } from '#kit/contract/text.ts';
import { answers, frame, mostPayload, readFrames } from './frames.ts';

/** The result of a payload: bytes, or the reason of a refusal. */
export type Result = { bytes: Buffer } | { refused: Text };

/**
 * Runs `work` on each payload until the input ends. The process ignores signals: the server lets running jobs finish.
 */
export function serve(work: (payload: Buffer) => Promise<Result> | Result) {
  // A package's output would be read as a frame.
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
  // When the server closes either pipe, this process ends.
  process.stdin.once('end', () => process.exit());
  process.stdout.once('error', () => process.exit());
  answer('ready', Buffer.alloc(0));
}
