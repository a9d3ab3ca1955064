import { useEffect, useState } from 'react';
import { queryClient } from '#kit/browser/data/read.ts';

/** Whether the page that was opened has its data: now it can load what is only likely to be used. */
export function useIsLoaded() {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => {
      if (queryClient.isFetching() > 0) return;
      clearInterval(timer);
      setLoaded(true);
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  return isLoaded;
}
