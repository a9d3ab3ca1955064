import { useLoaderData } from '@tanstack/react-router';

/** What a page's own `load` gave. The router's types name one router a program, and there are two here. */
export const usePageData = <Load extends () => Promise<unknown>>() =>
  useLoaderData({ strict: false }) as Awaited<ReturnType<Load>>;
