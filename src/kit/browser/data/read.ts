import {
  keepPreviousData,
  QueryClient,
  type UseQueryResult,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useConfirmed } from '#kit/browser/ui/confirmed.ts';
import type { Endpoint, InputOf, OutputOf } from '#kit/contract/endpoint.ts';
import { call } from './call.ts';

/** What the pages of the shell have read. A failed read is tried again by `call` itself. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: false } },
});

const areaOf = ({ path }: Endpoint) => path.split('/')[1];

const reading = <Operation extends Endpoint>(operation: Operation, input: InputOf<Operation>) => ({
  queryKey: [areaOf(operation), operation.path, input],
  queryFn: () => call(operation, input),
});

/** Reads an operation's output; pages that ask for the same share one answer. */
export function useRead<Operation extends Endpoint>(
  operation: Operation,
  input: InputOf<Operation>,
): UseQueryResult<OutputOf<Operation>> {
  return useQuery(reading(operation, input));
}

/** Reads the output of each of several operations of one kind. */
export function useReadAll<Operation extends Endpoint>(
  operations: readonly Operation[],
  input: InputOf<Operation>,
): UseQueryResult<OutputOf<Operation>>[] {
  return useQueries({ queries: operations.map((operation) => reading(operation, input)) });
}

/** Reads a page of a list; the one before stays in sight until the next is there. */
export function useReadList<Operation extends Endpoint>(
  operation: Operation,
  input: InputOf<Operation>,
): UseQueryResult<OutputOf<Operation>> {
  return useQuery({ ...reading(operation, input), placeholderData: keepPreviousData });
}

/** Gives what calls an operation, with a fresh proof where it wants one, and then has its whole area read again. */
export function useSend<Operation extends Endpoint>(operation: Operation) {
  const client = useQueryClient();
  const confirmed = useConfirmed();
  return async (input: InputOf<Operation>): Promise<OutputOf<Operation>> => {
    const answer = await confirmed(() => call(operation, input));
    await client.invalidateQueries({ queryKey: [areaOf(operation)] });
    return answer;
  };
}
