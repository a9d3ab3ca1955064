// biome-ignore lint/style/noRestrictedImports: Everything else links through this file.
import { Link, type LinkComponentProps, useLocation, useNavigate } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ComponentType } from 'react';

/** The pages that can be linked to, one member for each router; `src/app` adds them by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: Only an interface can be merged.
export interface LinkedPages {}

interface LinkedPage {
  path: string;
  search: readonly string[];
}

type AnyPage = Extract<LinkedPages[keyof LinkedPages], LinkedPage>;

/** The address of a page, where `$name` stands for a parameter. */
export type PageAddress = AnyPage['path'];

type PageAt<To extends PageAddress> = Extract<AnyPage, { path: To }>;

type SearchKey<To extends PageAddress> = To extends PageAddress ? PageAt<To>['search'][number] : never;

type Search<To extends PageAddress> = { readonly [Key in SearchKey<To>]?: string };

type ParamKey<To extends string> = To extends `${string}$${infer Key}/${infer Rest}`
  ? Key | ParamKey<Rest>
  : To extends `${string}$${infer Key}`
    ? Key
    : never;

/** The target of a link. A page takes the parameters of its address and the search keys of its manifest. */
export type Destination<To extends PageAddress> = { to: To; hash?: string } & ([ParamKey<To>] extends [never]
  ? { params?: never }
  : { params: Record<ParamKey<To>, string> }) &
  ([SearchKey<To>] extends [never]
    ? { search?: never }
    : { search?: Search<To> | ((current: Search<To>) => Search<To>) });

// The router's own types know one router in a program, and there are two.
const RouterLink = Link as ComponentType<object>;
const PathLink = Link as ComponentType<{ to: string }>;

/** The props of a link to a page. */
export type PageLinkProps<To extends PageAddress> = Destination<To> &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> &
  Pick<LinkComponentProps, 'activeProps' | 'activeOptions'>;

/** A link to a page of the product. A wrong address, parameter or search key does not compile. */
export const PageLink = <const To extends PageAddress>(props: PageLinkProps<To>) => <RouterLink {...props} />;

/** A link to an address that the server sent. */
export const ServedLink = (props: { to: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>) => (
  <PathLink {...props} />
);

/** A link within the current page, which changes only the query of its address. */
export const SearchLink = (
  props: Pick<LinkComponentProps, 'activeProps' | 'activeOptions' | 'aria-current' | 'children'> & {
    search: Partial<Record<string, string>>;
  },
) => <PathLink to={useLocation().pathname} {...props} />;

/** Changes only the query of the address, which may be ahead of the page that is drawn. */
export function useSearchNavigate() {
  type Query = Partial<Record<string, string>>;
  const navigate = useNavigate() as unknown as (destination: { search: (latest: Query) => Query }) => Promise<void>;
  return (search: (latest: Query) => Query) => navigate({ search });
}

/** Navigates to a page without a link. */
export const usePageNavigate = () =>
  useNavigate() as unknown as <const To extends PageAddress>(destination: Destination<To>) => Promise<void>;

/** Navigates to an address that the server sent. */
export const useServedNavigate = () => useNavigate() as unknown as (destination: { href: string }) => Promise<void>;
