import type { LinkComponentProps } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ComponentType } from 'react';
import { useLinking } from './linking.ts';

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

/** The props of a link to a page. */
export type PageLinkProps<To extends PageAddress> = Destination<To> &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> &
  Pick<LinkComponentProps, 'activeProps' | 'activeOptions'>;

/** A link to a page of the product. A wrong address, parameter or search key does not compile. */
export function PageLink<const To extends PageAddress>(props: PageLinkProps<To>) {
  const { Link } = useLinking();
  return <Link {...props} />;
}

/** A link to an address that the server sent. */
export function ServedLink(props: { to: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>) {
  const { Link } = useLinking();
  return <Link {...props} />;
}

/** A link within the current page, which changes only the query of its address. */
export function SearchLink(
  props: Pick<LinkComponentProps, 'activeProps' | 'activeOptions' | 'aria-current' | 'children'> & {
    search: Partial<Record<string, string>>;
  },
) {
  const { Link: PathLink, useLocation } = useLinking() as { Link: ComponentType<{ to: string }> } & ReturnType<
    typeof useLinking
  >;
  return <PathLink to={useLocation().pathname} {...props} />;
}

/** Changes only the query of the address, which may be ahead of the page that is drawn. */
export function useSearchNavigate() {
  type Query = Partial<Record<string, string>>;
  const navigate = useLinking().useNavigate() as (destination: { search: (latest: Query) => Query }) => Promise<void>;
  return (search: (latest: Query) => Query) => navigate({ search });
}

/** Navigates to a page without a link. */
export const usePageNavigate = () =>
  useLinking().useNavigate() as <const To extends PageAddress>(destination: Destination<To>) => Promise<void>;

/** Navigates to an address that the server sent. */
export const useServedNavigate = () => useLinking().useNavigate() as (destination: { href: string }) => Promise<void>;
