// Vitest runs this before each test file.
import { afterAll } from 'vitest';
import { lent } from './lent.ts';
import { startNumbers } from './numbers.ts';

startNumbers();

// A school that a file forgot would be the next file's.
afterAll(async () => {
  for (const close of lent) await close();
});
