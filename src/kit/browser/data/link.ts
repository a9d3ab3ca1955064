import { linkParameter } from '#kit/contract/endpoint.ts';

/**
 * The link value in this page's address; empty without one. It is stored nowhere else. A message may add to it: a full stop
 * or a bracket around it, and "3D" before it, as mail programs write “=”.
 */
export function currentLink(name = linkParameter): string {
  const value = new URLSearchParams(window.location.search).get(name) ?? '';
  return /^[^0-9a-z]{0,3}(?:3D)?([0-9a-f]{32})(?![0-9a-f])/i.exec(value)?.[1] ?? value;
}
