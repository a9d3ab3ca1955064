import { linkParameter } from '#kit/contract/endpoint.ts';

/** The link value in this page's address; empty without one. It is stored nowhere else. */
export const currentLink = (): string => new URLSearchParams(window.location.search).get(linkParameter) ?? '';
