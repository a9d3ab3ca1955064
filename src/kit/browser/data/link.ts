import { linkParameter } from '#kit/contract/endpoint.ts';

/** The value of the link this page was opened with; empty when there is none. Read from the address alone, stored nowhere. */
export const currentLink = (): string => new URLSearchParams(window.location.search).get(linkParameter) ?? '';
