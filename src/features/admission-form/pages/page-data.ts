import { useLoaderData } from '@tanstack/react-router';

/** The data of a page's own `load`. The router's types allow one router in a program, and this program has two. */
export const usePageData = <Load extends () => Promise<unknown>>() =>
  useLoaderData({ strict: false }) as Awaited<ReturnType<Load>>;
