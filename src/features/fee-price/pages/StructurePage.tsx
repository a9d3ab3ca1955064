import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button, ButtonLink } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { HistoryButton } from '#kit/browser/ui/HistoryButton.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { backToTitle, PageHead } from '#kit/browser/ui/PageHead.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { publishFields, type Structure, structureApi } from '../contract/structure.ts';
import { RepricePlans } from './RepricePlans.tsx';
import { StructureForm } from './StructureForm.tsx';
import { StructurePrices } from './StructurePrices.tsx';
import { stateKinds } from './state-kinds.ts';

/** /school-erp/fee/fee-structure-allocation/{structureID}: the prices of one structure. */
export function StructurePage() {
  const { structureID } = useParams({ strict: false }) as { structureID: string };
  const { t } = useLingui();
  const structure = useRead(structureApi.read, { id: structureID });
  return (
    <>
      {structure.error && !structure.data && <PageHead title={t`Fee structure`} />}
      <QueryBoundary query={structure}>{(found) => <Record key={found.id} structure={found} />}</QueryBoundary>
    </>
  );
}

function Record({ structure }: { structure: Structure }) {
  const { t } = useLingui();
  const { name, status, year, branch, program, category, admissionType, versionNo, grades, may } = structure;
  const [isHistory, setHistory] = useState(false);
  const about = [year, branch, program, category].filter(Boolean).join(' · ');
  return (
    <>
      <RecordPage
        title={name}
        back={{ to: '/school-erp/fee/fee-structure-allocation', title: t`Fee Structure Allocation` }}
        about={about}
        chips={<Status kind={stateKinds[status]}>{translateOption(status)}</Status>}
        actions={<Acts structure={structure} />}
        parts={[
          {
            key: 'prices',
            title: t`Prices`,
            cards: [
              may.edit ? (
                <StructureForm key="form" structure={structure} />
              ) : (
                <StructurePrices key="prices" structure={structure} />
              ),
              <RecordCard
                key="facts"
                title={t`About these prices`}
                actions={<HistoryButton name={name} onOpen={() => setHistory(true)} />}
              >
                <Facts
                  facts={[
                    { label: t`Grades`, value: grades.map((grade) => grade.name).join(', ') },
                    { label: t`Charged to`, value: translateOption(admissionType) },
                    { label: t`Version`, value: String(versionNo) },
                    { label: t`Changed by`, value: structure.editedBy },
                    { label: t`Published by`, value: structure.publishedBy },
                    { label: t`Published on`, value: structure.publishedOn && showDate(structure.publishedOn) },
                    { label: t`Valid from`, value: structure.validFrom && showDate(structure.validFrom) },
                  ]}
                />
              </RecordCard>,
            ],
          },
        ]}
      />
      {isHistory && (
        <HistoryDialog
          endpoint={structureApi.history}
          id={structure.id}
          displayName={name}
          onClose={() => setHistory(false)}
        />
      )}
    </>
  );
}

const laterOf = (one: string, other: string) => (one > other ? one : other);

function Acts({ structure }: { structure: Structure }) {
  const { id, version, versionNo, name, status, may } = structure;
  const { t } = useLingui();
  const toast = useToast();
  const navigate = usePageNavigate();
  const publish = useAction(structureApi.publish);
  const [isPublishing, setPublishing] = useState(false);
  const published = may.publish ? t`${name} was published.` : t`${name} is waiting for approval.`;
  const words = may.publish ? <Trans>Publish</Trans> : <Trans>Send for approval</Trans>;
  const renew = useAction(structureApi.renew);
  const remove = useAction(structureApi.remove);
  return (
    <>
      {(may.publish || may.ask) && (
        <Button
          kind="main"
          isBusy={publish.isBusy}
          onClick={async () => {
            // A later version has a first day.
            if (versionNo > 1) return setPublishing(true);
            if (!(await publish.run({ id, version, validFrom: '' }))) return;
            toast({ kind: 'success', title: published });
            backToTitle(); // The pressed button is gone.
          }}
        >
          {words}
        </Button>
      )}
      {isPublishing && (
        <RecordForm
          title={may.publish ? t`Publish` : t`Send for approval`}
          about={t`From this day the prices replace the earlier version in plans.`}
          endpoint={structureApi.publish}
          initial={{ validFrom: structure.validFrom || laterOf(today(), structure.startsOn) }}
          hiddenValues={{ id, version }}
          saved={() => published}
          words={words}
          onClose={() => setPublishing(false)}
        >
          <FieldControls fields={publishFields} />
        </RecordForm>
      )}
      {status === 'Waiting for approval' && (
        <ButtonLink to="/school-erp/approval/inbox" search={{}}>
          <Trans>Approvals</Trans>
        </ButtonLink>
      )}
      {may.renew && versionNo > 1 && <RepricePlans structureId={id} validFrom={structure.validFrom} />}
      {may.renew && (
        <Button
          isBusy={renew.isBusy}
          onClick={async () => {
            const made = await renew.run({ id, version });
            if (!made) return;
            toast({ kind: 'success', title: t`A new version of ${name} was added as a draft.` });
            void navigate({
              to: '/school-erp/fee/fee-structure-allocation/$structureID',
              params: { structureID: String(made.id) },
            });
          }}
        >
          <Trans>New version</Trans>
        </Button>
      )}
      {may.remove && (
        <ConfirmButton
          name={t`Delete ${name}`}
          label={<Trans>Delete</Trans>}
          confirm={<Trans>Delete</Trans>}
          question={<Trans>This can’t be undone.</Trans>}
          onConfirm={async () => {
            if (!(await remove.run({ id, version }))) return;
            toast({ kind: 'success', title: t`Deleted.` });
            void navigate({ to: '/school-erp/fee/fee-structure-allocation' });
          }}
        />
      )}
      {publish.problem}
      {renew.problem}
      {remove.problem}
    </>
  );
}
