import type { InputOf, OutputOf, ReadEndpoint } from '#kit/contract/endpoint.ts';
import { call } from './call.ts';

/** Reads an operation's output once; throws as `call` does. Use `useRead` for data that a page keeps showing. */
export const get = <Operation extends ReadEndpoint>(
  operation: Operation,
  input: InputOf<Operation>,
): Promise<OutputOf<Operation>> => call(operation, input);
