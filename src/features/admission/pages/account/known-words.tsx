import { useLingui } from '@lingui/react/macro';
import type { Account } from '../../contract/account.ts';

type KnownAdult = Account['adults'][number]['likely'][number];

/** "Ramesh Patel, Father of Riya Patel (Grade 3, B)". */
export function useKnownWords() {
  const { t } = useLingui();
  return ({ name, relation, children, others }: KnownAdult) => {
    const of = [...children, ...(others > 0 ? [t`${others} more in other branches`] : [])].join(', ');
    return t`${name}, ${relation} of ${of}`;
  };
}
