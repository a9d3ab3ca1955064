import { useLingui } from '@lingui/react/macro';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { addStudentApi } from '../contract/add.ts';

type KnownAdult = OutputOf<typeof addStudentApi.known>[number];

/** "Ramesh Patel, Father of Riya Patel (Grade 3, B)". */
export function useAdultWords() {
  const { t } = useLingui();
  return ({ name, relation, children, others }: Omit<KnownAdult, 'family'>) => {
    const of = [...children, ...(others > 0 ? [t`${others} more in other branches`] : [])].join(', ');
    return t`${name}, ${relation} of ${of}`;
  };
}
