import { keepPreviousData, QueryClient, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import type { InputOf, OutputOf, ReadEndpoint } from '#kit/contract/endpoint.ts';
import { onAct } from './call.ts';
import { get } from './get.ts';

/** What the pages of the shell have read. A failed read is tried again by `call` itself. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: false } },
});

const reading = <Operation extends ReadEndpoint>(operation: Operation, input: InputOf<Operation>) => ({
  queryKey: [operation.path, input],
  queryFn: () => get(operation, input),
  meta: { shows: operation.shows ?? 'anything' },
});

const isChanged = (shows: unknown, changes: readonly string[]) =>
  shows === 'anything' || (Array.isArray(shows) && shows.some((word) => changes.includes(word)));

/** After an act, what shows something the act changes is read again; what does not say what it shows is, too. */
onAct(({ changes = [] }) =>
  queryClient.invalidateQueries({ predicate: ({ meta }) => isChanged(meta?.shows, changes) }),
);

/** Reads an operation's output; pages that ask for the same share one answer. */
export function useRead<Operation extends ReadEndpoint>(
  operation: Operation,
  input: InputOf<Operation>,
): UseQueryResult<OutputOf<Operation>> {
  return useQuery(reading(operation, input));
}

/** Reads the output of each of several operations of one kind. */
export function useReadAll<Operation extends ReadEndpoint>(
  operations: readonly Operation[],
  input: InputOf<Operation>,
): UseQueryResult<OutputOf<Operation>>[] {
  return useQueries({ queries: operations.map((operation) => reading(operation, input)) });
}

/** Reads a page of a list; the one before stays in sight until the next is there. */
export function useReadList<Operation extends ReadEndpoint>(
  operation: Operation,
  input: InputOf<Operation>,
): UseQueryResult<OutputOf<Operation>> {
  return useQuery({ ...reading(operation, input), placeholderData: keepPreviousData });
}

/** Reads again whatever is in sight, for what may be out of date though nothing was done here. */
export const readAllAgain = () => queryClient.invalidateQueries();
