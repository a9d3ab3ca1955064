import { useRead } from '#kit/browser/data/read.ts';
import { type Endpoint, isGranted } from '#kit/contract/endpoint.ts';
import { signInApi } from '../contract/sign-in.ts';

/** Whether the user may call an operation, by the access that guards it: for acts that belong to no record. */
export function useMay({ access }: Pick<Endpoint, 'access'>): boolean {
  const { data: me } = useRead(signInApi.me, {});
  return me !== undefined && isGranted(access, me);
}
