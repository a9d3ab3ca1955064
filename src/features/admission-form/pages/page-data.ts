import { createContext, use } from 'react';

export const PageDataContext = createContext<unknown>(undefined);

/** The data of a page's own `load`. */
export const usePageData = <Load extends () => Promise<unknown>>() => use(PageDataContext) as Awaited<ReturnType<Load>>;

export const ReloadContext = createContext<() => Promise<void>>(async () => undefined);

/** Shows the page of the address with the answers as they are stored now. */
export const useReload = () => use(ReloadContext);
