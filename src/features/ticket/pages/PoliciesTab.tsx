import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TickField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { CardButtons, Cards, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { targetFields, ticketConfigApi } from '../contract/config.ts';
import { useDuration } from './use-duration.tsx';

type Policy = OutputOf<typeof ticketConfigApi.policies>['policies'][number];

/** The targets by priority. An edit is for new tickets: the others keep the times that they have. */
export function PoliciesTab() {
  const { t } = useLingui();
  const query = useRead(ticketConfigApi.policies, {});
  const usual = useAction(ticketConfigApi.addUsual);
  const [open, setOpen] = useState<Policy | 'add'>();
  return (
    <QueryBoundary query={query}>
      {({ policies, isEmpty }) => (
        <>
          {isEmpty && (
            <EmptyState
              message={<Trans>No categories and policies yet. Add the usual set, and change it later.</Trans>}
            >
              <Button kind="main" isBusy={usual.isBusy} onClick={() => void usual.run({})}>
                <Trans>Add the usual categories, targets and hours</Trans>
              </Button>
              {usual.problem}
            </EmptyState>
          )}
          <Cards>
            {policies.map((policy) => (
              <PolicyCard key={policy.id} policy={policy} onEdit={() => setOpen(policy)} />
            ))}
          </Cards>
          <CardButtons>
            <Button onClick={() => setOpen('add')}>{t`Add a policy`}</Button>
          </CardButtons>
          {open && <PolicyForm policy={open === 'add' ? undefined : open} onClose={() => setOpen(undefined)} />}
        </>
      )}
    </QueryBoundary>
  );
}

function PolicyCard({
  policy: { id, name, isDefault, pausesOnHold, targets, older },
  onEdit,
}: {
  policy: Policy;
  onEdit: () => void;
}) {
  const { t } = useLingui();
  const duration = useDuration();
  return (
    <RecordCard
      title={
        <>
          {name}{' '}
          {isDefault && (
            <Chip>
              <Trans>Default</Trans>
            </Chip>
          )}
        </>
      }
      actions={
        <Button kind="quiet" aria-label={t`Edit ${name}`} onClick={onEdit}>
          <Trans>Edit</Trans>
        </Button>
      }
    >
      <CardTable
        caption={<Trans>Targets by priority</Trans>}
        heads={[t`Priority`, t`First answer`, t`Solution`]}
        rows={targets.map(({ priority, response, resolution }) => ({
          key: priority,
          cells: [
            <strong key="priority">{translateOption(priority)}</strong>,
            duration(response),
            duration(resolution),
          ],
        }))}
      />
      <p className="soft">
        {pausesOnHold ? (
          <Trans>The clock stops on hold.</Trans>
        ) : (
          <Trans>The clock keeps running while a ticket is on hold.</Trans>
        )}
      </p>
      {older > 0 && <ApplyPolicy id={id} name={name} older={older} />}
    </RecordCard>
  );
}

/** Open tickets keep the targets that they were raised with until the new targets are applied to them. */
function ApplyPolicy({ id, name, older }: { id: number; name: string; older: number }) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(ticketConfigApi.applyPolicy);
  const { changed = 0, overdue = 0 } = preview.shown?.answer ?? {};
  return (
    <CardButtons>
      <span>
        <Plural value={older} one="# open ticket has earlier targets." other="# open tickets have earlier targets." />
      </span>
      <Button isBusy={preview.isBusy} onClick={() => void preview.show({ id })}>
        <Trans>Apply to open tickets…</Trans>
      </Button>
      {!preview.shown && preview.problem}
      <PreviewDialog
        preview={preview}
        title={t`Apply ${name} to open tickets?`}
        confirm={<Trans>Apply</Trans>}
        onApplied={() => toast({ kind: 'success', title: t`Applied.`, of: name })}
      >
        <p>
          <Plural value={changed} one="# ticket gets new due times." other="# tickets get new due times." />{' '}
          {overdue > 0 && <Plural value={overdue} one="# is overdue then." other="# are overdue then." />}
        </p>
      </PreviewDialog>
    </CardButtons>
  );
}

function PolicyForm({ policy, onClose }: { policy: Policy | undefined; onClose: () => void }) {
  const { t } = useLingui();
  const minutes = Object.fromEntries(
    targetFields.map(({ priority, name, kind }) => [
      name,
      String(policy?.targets.find((target) => target.priority === priority)?.[kind] ?? ''),
    ]),
  );
  return (
    <RecordForm
      title={policy ? t`Edit the policy` : t`Add a policy`}
      about={t`Business minutes. Tickets that exist keep their times.`}
      endpoint={ticketConfigApi.savePolicy}
      initial={{
        name: policy?.name ?? '',
        isDefault: policy?.isDefault ?? false,
        pausesOnHold: policy?.pausesOnHold ?? true,
        ...minutes,
      }}
      hiddenValues={{ policyId: policy?.id ?? null }}
      onClose={onClose}
    >
      <TextField name="name" />
      {targetFields.toReversed().map(({ name }) => (
        <TextField key={name} name={name} inputMode="numeric" width="short" />
      ))}
      <TickField name="pausesOnHold" />
      <TickField name="isDefault" />
    </RecordForm>
  );
}
