import {
  keepPreviousData,
  type Query,
  QueryClient,
  type UseQueryResult,
  useQueries,
  useQuery,
} from '@tanstack/react-query';
import type { InputOf, OutputOf, ReadEndpoint } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type AfterAct, onAct } from './call.ts';
import { get } from './get.ts';

/**
 * The cache of the shell's reads. `call` itself retries failed reads. Without a network a read fails at once, instead of
 * waiting unseen, and is repeated when the network is back.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      refetchOnReconnect: 'always',
    },
  },
});

const reading = <Operation extends ReadEndpoint>(operation: Operation, input: InputOf<Operation>) => ({
  queryKey: [operation.path, input],
  queryFn: () => get(operation, input),
  meta: { shows: operation.shows ?? 'anything', isBackground: operation.isBackground },
});

/** The output of an operation, asked only where no component has read it; later changes read it again, as any other. */
export const readOnce = <Operation extends ReadEndpoint>(
  operation: Operation,
  input: InputOf<Operation>,
): Promise<OutputOf<Operation>> =>
  queryClient.fetchQuery({ ...reading(operation, input), staleTime: Number.POSITIVE_INFINITY });

const isChanged = (shows: unknown, changes: readonly string[]) =>
  shows === 'anything' || (Array.isArray(shows) && shows.some((word) => changes.includes(word)));

/**
 * After an act, reads again each query whose `shows` includes something the act changes, and queries without `shows`.
 */
export const readChanged: AfterAct = async ({ changes = [] }) => {
  const predicate = ({ meta }: Query) => isChanged(meta?.shows, changes);
  // Reading again would wait for a first read that began before the act, and show what it says.
  const isFirst = (query: Query) => query.isActive() && query.state.data === undefined;
  await queryClient.cancelQueries({ predicate: (query) => isFirst(query) && predicate(query) });
  await queryClient.invalidateQueries({ predicate });
};
onAct(readChanged);

/** Reads an operation's output; components that read the same share one answer. */
export function useRead<Operation extends ReadEndpoint>(
  operation: Operation,
  input: InputOf<Operation>,
): UseQueryResult<OutputOf<Operation>> {
  return useQuery(reading(operation, input));
}

/** As `useRead`, again every second while there is more to come. */
export function useReadWhile<Operation extends ReadEndpoint>(
  operation: Operation,
  input: InputOf<Operation>,
  isMore: (output: OutputOf<Operation>) => boolean,
): UseQueryResult<OutputOf<Operation>> {
  return useQuery({
    ...reading(operation, input),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || isMore(data as OutputOf<Operation>) ? 1000 : false,
  });
}

const background = 60_000;

/**
 * As `useRead`, again each minute while the page is visible and whenever it becomes visible again. Once the session has
 * ended it stops until the user has signed in again.
 */
export function useReadInBackground<Operation extends ReadEndpoint>(
  operation: Operation,
  input: InputOf<Operation>,
): UseQueryResult<OutputOf<Operation>> {
  return useQuery({
    ...reading(operation, input),
    refetchInterval: ({ state: { error } }) => (isSignedOut(error) ? false : background),
    refetchOnWindowFocus: ({ state: { error } }) => (isSignedOut(error) ? false : 'always'),
  });
}

const isSignedOut = (error: unknown) => error instanceof AppError && error.code === 'signed_out';

/** Reads again what the page reads in the background, after its user has signed in again. */
export const readBackgroundAgain = () =>
  queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.isBackground === true });

/** Reads the output of each of several operations of one kind. */
export function useReadAll<Operation extends ReadEndpoint>(
  operations: readonly Operation[],
  input: InputOf<Operation>,
): UseQueryResult<OutputOf<Operation>>[] {
  return useQueries({ queries: operations.map((operation) => reading(operation, input)) });
}

/** Reads a page of a list, once it is wanted; the previous page stays visible until the next is loaded. */
export function useReadList<Operation extends ReadEndpoint>(
  operation: Operation,
  input: InputOf<Operation>,
  isWanted = true,
): UseQueryResult<OutputOf<Operation>> {
  return useQuery({ ...reading(operation, input), placeholderData: keepPreviousData, enabled: isWanted });
}

/** Reads all visible data again, for data that may be outdated without an act here. */
export const readAllAgain = () => queryClient.invalidateQueries();
