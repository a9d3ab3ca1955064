export { findLine, matchWith } from './server/own-line.ts';
