import { Trans } from '@lingui/react/macro';
import { SelectField } from '#kit/browser/form/fields.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type Account, returningChoices } from '../../contract/account.ts';

/** A student who is this child, or may be. */
export function Returning({ returning }: { returning: NonNullable<Account['returning']> }) {
  const { id, name, grNo, leftOn, isSure } = returning;
  return (
    <>
      <p>
        {leftOn ? <Trans>Was here before:</Trans> : <Trans>May be at the school already:</Trans>}{' '}
        <PageLink to="/school-erp/student/student-list/$studentID" params={{ studentID: String(id) }}>
          {name}
        </PageLink>
        {leftOn ? (
          <Trans>
            , GR {grNo}, left on {showDate(leftOn)}.
          </Trans>
        ) : (
          <Trans>, GR {grNo}. For the same child nothing is created: the application leads to this record.</Trans>
        )}
      </p>
      {isSure ? (
        <p>
          <Trans>The Aadhaar number is the same: the child comes back with the record and the GR number.</Trans>
        </p>
      ) : (
        <SelectField name="returning" options={returningChoices} />
      )}
    </>
  );
}
