import { fork } from 'node:child_process';
import { join } from 'node:path';

interface Question {
  id: number;
  name: string;
  input: unknown;
}

interface Answer {
  id: number;
  answer?: unknown;
  failure?: string;
}

export interface Child {
  ask: <Result>(name: string, input?: unknown) => Promise<Result>;
  stop: () => Promise<void>;
  /** Ends it as a power failure would. */
  kill: () => Promise<void>;
}

/** Starts a program of this folder in a process of its own, so that its work is not counted as the server's. */
export function startChild(file: string, env: Record<string, string> = {}, execArgv: string[] = []): Child {
  const child = fork(join(import.meta.dirname, file), {
    env: { ...process.env, ...env },
    execArgv,
    // Logs as in production; the output is discarded.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const waiting = new Map<number, { done: (answer: never) => void; fail: (error: Error) => void }>();
  let last = 0;
  child.on('message', ({ id, answer, failure }: Answer) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (failure) asked?.fail(new Error(`${file}: ${failure}`));
    else asked?.done(answer as never);
  });
  const ended = new Promise<void>((done) => {
    child.once('exit', (code) => {
      for (const { fail } of waiting.values()) fail(new Error(`${file} ended with ${code}.`));
      done();
    });
  });
  return {
    ask: (name, input = null) =>
      new Promise((done, fail) => {
        const id = ++last;
        waiting.set(id, { done, fail });
        child.send({ id, name, input });
      }),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

/** The child's side: answers the requests of the parent process, and ends with it. */
export function answerAll(answers: Record<string, (input: never) => unknown>) {
  process.on('disconnect', () => process.exit(1));
  process.on('message', async ({ id, name, input }: Question) => {
    try {
      process.send?.({ id, answer: await answers[name]?.(input as never) });
    } catch (error) {
      process.send?.({ id, failure: (error as Error).stack });
    }
  });
}
