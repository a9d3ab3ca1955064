import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TickField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
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
          {policies.map((policy) => (
            <PolicyCard key={policy.id} policy={policy} onEdit={() => setOpen(policy)} />
          ))}
          <Button onClick={() => setOpen('add')}>{t`Add a policy`}</Button>
          {open && <PolicyForm policy={open === 'add' ? undefined : open} onClose={() => setOpen(undefined)} />}
        </>
      )}
    </QueryBoundary>
  );
}

function PolicyCard({
  policy: { name, isDefault, pausesOnHold, targets },
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
      <table>
        <thead>
          <tr>
            <th scope="col">{t`Priority`}</th>
            <th scope="col">{t`First answer`}</th>
            <th scope="col">{t`Solution`}</th>
          </tr>
        </thead>
        <tbody>
          {targets.map(({ priority, response, resolution }) => (
            <tr key={priority}>
              <th scope="row">{translateOption(priority)}</th>
              <td>{duration(response)}</td>
              <td>{duration(resolution)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="soft">
        {pausesOnHold ? (
          <Trans>The clock stops on hold.</Trans>
        ) : (
          <Trans>The clock goes on while a ticket is on hold.</Trans>
        )}
      </p>
    </RecordCard>
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
