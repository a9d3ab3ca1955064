// Vitest runs this before each test file.
import { startNumbers } from './numbers.ts';

startNumbers();
