import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('Ctrl-C ends the steps that run, and none begins afterwards', async () => {
  const work = `
    const { endSteps, runStep } = await import('./scripts/steps.ts');
    void runStep({ name: 'sleep', line: ['sleep', '600'] }).then(() => console.log('finished'));
    await endSteps();
    void runStep({ name: 'echo', line: ['echo', 'begun'] }, true);
    console.log('ended');`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', work]);
  expect(stdout).toBe('ended\n');
});
