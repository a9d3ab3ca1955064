import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TickField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { ticketConfigApi } from '../contract/config.ts';

/** Who is told of a ticket that is not solved in time. Each level is told once. */
export function EscalationTab() {
  const { t } = useLingui();
  const query = useRead(ticketConfigApi.rules, {});
  return (
    <QueryBoundary query={query}>
      {(rules) => (
        <RecordCard
          title={<Trans>Escalation</Trans>}
          actions={
            <FormOpener title={t`Edit the escalation`} label={<Trans>Edit</Trans>}>
              {(onClose) => (
                <RecordForm
                  title={t`Edit the escalation`}
                  endpoint={ticketConfigApi.saveRules}
                  initial={{ ...rules, percent: String(rules.percent), workingDays: String(rules.workingDays) }}
                  onClose={onClose}
                >
                  <TickField name="warns" />
                  <TextField name="percent" inputMode="numeric" width="short" />
                  <TickField name="tellsHead" />
                  <TickField name="tellsPrincipal" />
                  <TextField name="workingDays" inputMode="numeric" width="short" />
                </RecordForm>
              )}
            </FormOpener>
          }
        >
          <Facts
            facts={[
              {
                label: t`Person who has it`,
                value: rules.warns ? t`at ${rules.percent} % of the time` : t`Not notified`,
              },
              { label: t`Head of the department`, value: rules.tellsHead ? t`at the due time` : t`Not notified` },
              {
                label: t`Principal`,
                value: rules.tellsPrincipal
                  ? t`Working days after the due time: ${rules.workingDays}`
                  : t`Not notified`,
              },
            ]}
          />
        </RecordCard>
      )}
    </QueryBoundary>
  );
}
