import { useEffect, useState } from 'react';
import { queryClient } from './read.ts';

/** Whether the page that was opened has its data: what is only likely to be used can be loaded from then on. */
export function useIsSettled() {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => {
      if (queryClient.isFetching() > 0) return;
      clearInterval(timer);
      setSettled(true);
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  return isSettled;
}
