export { findLine, matchWith, type Shown } from './server/own-line.ts';
