import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { namesOf } from '#kit/contract/field.ts';
import {
  addressApi,
  addressFields,
  currentAddressFields,
  permanentAddressFields,
  sameField,
} from '../contract/address.ts';
import type { StudentHead } from '../contract/record.ts';

/** Where a student lives, and where the family is at home. */
export function AddressCard({ head: { id, may } }: { head: StudentHead }) {
  const { t } = useLingui();
  const address = useRead(addressApi.address, { id });
  const edit = may.change && address.data && (
    <FormOpener title={t`Edit the address`} label={<Trans>Edit</Trans>}>
      {(onClose) => (
        <RecordForm
          title={t`Edit the address`}
          endpoint={addressApi.saveAddress}
          initial={typedOf(addressFields, address.data.saved)}
          hiddenValues={{ id, version: address.data.version }}
          fields={addressFields}
          onClose={onClose}
        >
          <FieldControls fields={currentAddressFields} />
          <FieldControls fields={sameField} />
          <Permanent />
        </RecordForm>
      )}
    </FormOpener>
  );
  return (
    <RecordCard isEmpty={address.data?.version === 0} title={<Trans>Address</Trans>} actions={edit}>
      <QueryBoundary query={address}>
        {({ version, saved }) => {
          const lines = (fields: object) =>
            namesOf(fields as typeof currentAddressFields)
              .map((name) => saved[name])
              .filter(Boolean)
              .join(', ');
          return version === 0 ? (
            <EmptyState message={<Trans>No address yet.</Trans>} />
          ) : (
            <Facts
              facts={
                saved.isSame
                  ? [{ label: t`Current and permanent address`, value: lines(currentAddressFields) }]
                  : [
                      { label: t`Current address`, value: lines(currentAddressFields) },
                      { label: t`Permanent address`, value: lines(permanentAddressFields) },
                    ]
              }
            />
          );
        }}
      </QueryBoundary>
    </RecordCard>
  );
}

function Permanent() {
  const { values } = useApiForm();
  return values.isSame === true ? null : <FieldControls fields={permanentAddressFields} />;
}
