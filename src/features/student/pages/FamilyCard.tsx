import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { type Guardian, guardianApi } from '../contract/guardian.ts';
import type { StudentHead } from '../contract/record.ts';

/** The adults of a student: who they are, whom to call first, and who may not come near the child. */
export function FamilyCard({ head }: { head: StudentHead }) {
  const { t } = useLingui();
  const family = useRead(guardianApi.family, { id: head.id });
  return (
    <RecordCard isWide title={<Trans>Family</Trans>}>
      <QueryBoundary query={family}>
        {({ guardians }) =>
          guardians.length === 0 ? (
            <EmptyState message={<Trans>No guardian yet.</Trans>} />
          ) : (
            <ListRows
              caption={t`Family`}
              heads={[t`Name`, t`Relation`, t`Mobile number`, t`Occupation`, t`Rights`]}
              rows={guardians.map((guardian) => ({
                key: guardian.id,
                cells: [
                  <Adult key="name" {...guardian} />,
                  guardian.relation,
                  guardian.saved.mobile && (
                    <a key="mobile" href={`tel:${guardian.saved.mobile}`}>
                      {guardian.saved.mobile}
                    </a>
                  ),
                  guardian.saved.occupation,
                  <Rights key="rights" {...guardian} />,
                ],
              }))}
            />
          )
        }
      </QueryBoundary>
    </RecordCard>
  );
}

function Adult({ name, alsoOf, saved }: Guardian) {
  const children = alsoOf.join(', ');
  return (
    <>
      {name}
      {saved.isDeceased && (
        <>
          {' '}
          <Chip>
            <Trans>Deceased</Trans>
          </Chip>
        </>
      )}
      {children && (
        <div className="soft">
          <Trans>Also of {children}</Trans>
        </div>
      )}
    </>
  );
}

function Rights({ isPrimary, saved }: Guardian) {
  const { role, isBarred, mayCollect, receivesMessages, restriction } = saved;
  return (
    <>
      {isPrimary && (
        <Chip kind="good">
          <Trans>Call first</Trans>
        </Chip>
      )}
      {role !== 'Parent' && <Chip>{translateOption(role)}</Chip>}
      {mayCollect && (
        <Chip>
          <Trans>May collect</Trans>
        </Chip>
      )}
      {receivesMessages && (
        <Chip>
          <Trans>Receives messages</Trans>
        </Chip>
      )}
      {isBarred && (
        <Chip kind="bad">
          <Trans>Barred from contact</Trans>
        </Chip>
      )}
      {restriction && <div>{restriction}</div>}
    </>
  );
}
