import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const program = (more: string) => `
  const { stopOnSignal } = await import('./src/kit/server/signals.ts');
  ${more}
  stopOnSignal(async () => undefined);
  process.stdout.write('ready');
  setInterval(() => undefined, 1000);`;

test('UP5 a program that ends because it is old ends as a failure, so that a service manager starts the new one', async () => {
  const codes = ['', 'process.exitCode = 1;'].map(async (more) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program(more)]);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    return (await once(child, 'exit'))[0];
  });
  expect(await Promise.all(codes)).toEqual([0, 1]);
});
