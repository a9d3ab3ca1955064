import { useEffect, useState } from 'react';
import { useReadList } from '#kit/browser/data/read.ts';
import { useLater } from '#kit/browser/ui/use-later.ts';
import { leastSearched, searchApi } from '../contract.ts';

/** Milliseconds after a letter before people are searched. */
const pause = 100;

/** Longer than this, Enter does not wait for the server. */
const patience = 1000;

/** The people, or the people of one kind, who match the typed text; until there is an answer, the people found before. */
export function usePeopleSearch(typed: string, kind?: string) {
  const search = useLater(typed, pause);
  const isWanted = [...search].length >= leastSearched;
  const { data, isError, isFetching, isPlaceholderData } = useReadList(
    searchApi.find,
    { search, ...(kind && { kind }) },
    isWanted,
  );
  const isAnswered = typed === search && (!isWanted || (!isPlaceholderData && !isFetching));
  const isLate = useIsLate(typed);
  return {
    groups: (isWanted && !isError && data) || [],
    isAnswered,
    /** Whether Enter should wait for the answer. */
    isAwaited: !isAnswered && !isLate && [...typed].length >= leastSearched,
    /** The server did not answer the latest search. */
    isAway: isAnswered && isWanted && isError,
  };
}

/** Whether a text has been unchanged for longer than the patience. */
function useIsLate(typed: string): boolean {
  const [late, setLate] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setLate(typed), patience);
    return () => clearTimeout(timer);
  }, [typed]);
  return late === typed;
}
