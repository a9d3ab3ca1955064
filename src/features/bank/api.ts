export { findLine, hasLine, matchWith, type Shown } from './server/own-line.ts';
