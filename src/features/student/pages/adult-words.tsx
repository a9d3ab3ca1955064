import { useLingui } from '@lingui/react/macro';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { guardianApi } from '../contract/guardian.ts';

type KnownAdult = OutputOf<typeof guardianApi.alike>[number];

/** "Ramesh Patel, Father of Riya Patel (Grade 3, B)". */
export function useAdultWords() {
  const { t } = useLingui();
  return ({ name, relation, children, others }: KnownAdult) => {
    const of = [...children, ...(others > 0 ? [t`${others} more in other branches`] : [])].join(', ');
    return t`${name}, ${relation} of ${of}`;
  };
}
