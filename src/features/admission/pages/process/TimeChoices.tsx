import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Grid, Panel, Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { PageLink, SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type TimeChoice, timeChoiceApi } from '../../contract/time-choice.ts';
import { ToldFamilies } from './ToldFamilies.tsx';

/** What families have chosen of the times that are offered to them, and who has not. */
export function TimeChoices() {
  const read = useReadList(timeChoiceApi.list, {});
  return (
    <QueryBoundary query={read}>
      {(choices) =>
        choices.length > 0 && (
          <Grid columns={1} gap={16} mb={16}>
            {choices.map((choice) => (
              <Choice key={choice.id} choice={choice} />
            ))}
          </Grid>
        )
      }
    </QueryBoundary>
  );
}

function Choice({ choice }: { choice: TimeChoice }) {
  const { t } = useLingui();
  const { kind, until, isOpen, free, days, families } = choice;
  const missing = families.filter(({ startsAt }) => startsAt === '');
  const withTime = families.filter(({ startsAt }) => startsAt !== '');
  const last = showMoment(until);
  return (
    <Panel>
      <Row gap={8} align="center" wrap>
        <Text as="b">{isOpen ? t`Families choose until ${last}` : t`Families chose until ${last}`}</Text>
        <Status kind={missing.length > 0 ? 'warn' : 'good'}>
          {missing.length > 0 ? (
            <Trans>
              {missing.length} of {families.length} have no time
            </Trans>
          ) : (
            <Trans>All have a time</Trans>
          )}
        </Status>
        <Row gap={8} ml="auto" wrap>
          <Remind choice={choice} />
          <End choice={choice} />
        </Row>
      </Row>
      <p className="soft">
        {translateOption(kind)} ·{' '}
        {days.map((day, place) => (
          <span key={day}>
            {place > 0 && ', '}
            <SearchLink search={{ show: 'slots', day }}>{showDate(day)}</SearchLink>
          </span>
        ))}{' '}
        · <Trans>{free} places free</Trans>
      </p>
      {missing.length > 0 && <Families title={<Trans>No time yet</Trans>} families={missing} />}
      {withTime.length > 0 && <Families title={<Trans>With a time</Trans>} families={withTime} />}
    </Panel>
  );
}

const Families = ({ title, families }: { title: ReactNode; families: TimeChoice['families'] }) => (
  <>
    <Text as="b" block mt={12} mb={8}>
      {title}
    </Text>
    <Stack as="ul" gap={8}>
      {families.map(({ id, name, startsAt, isChosen }) => (
        <li key={id}>
          <PageLink to="/school-erp/admission/process-admission/$inquiryID" params={{ inquiryID: String(id) }}>
            {name}
          </PageLink>{' '}
          {startsAt && (
            <span className="soft">
              {showMoment(startsAt)} ·{' '}
              {isChosen ? <Trans>chosen by the family</Trans> : <Trans>planned by the office</Trans>}
            </span>
          )}
        </li>
      ))}
    </Stack>
  </>
);

function Remind({ choice: { id, may } }: { choice: TimeChoice }) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(timeChoiceApi.remind);
  const answer = preview.shown?.answer;
  if (!may.remind) return null;
  return (
    <>
      <Button isBusy={preview.isBusy} onClick={() => void preview.show({ id })}>
        <Trans>Remind…</Trans>
      </Button>
      {preview.problem}
      <PreviewDialog
        preview={preview}
        title={t`Remind families to choose a time`}
        confirm={<Trans>Send</Trans>}
        details={<ToldFamilies example={answer?.example ?? null} />}
        onApplied={() => toast({ kind: 'success', title: t`Families are notified in 30 seconds.` })}
      >
        {answer?.children.join(', ')}
      </PreviewDialog>
    </>
  );
}

function End({ choice: { id, may } }: { choice: TimeChoice }) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(timeChoiceApi.end);
  const { slots = 0, children = [] } = preview.shown?.answer ?? {};
  if (!may.end) return null;
  return (
    <>
      <Button isBusy={preview.isBusy} onClick={() => void preview.show({ id })}>
        <Trans>End the choice…</Trans>
      </Button>
      {preview.problem}
      <PreviewDialog
        preview={preview}
        title={t`End the choice of times`}
        confirm={<Trans>End the choice</Trans>}
        details={
          children.length > 0 && (
            <p>
              <Trans>Without a time: {children.join(', ')}. Plan their interactions yourself.</Trans>
            </p>
          )
        }
        onApplied={() => toast({ kind: 'success', title: t`The choice has ended.` })}
      >
        <Trans>Free slots to cancel: {slots}. Booked slots remain.</Trans>
      </PreviewDialog>
    </>
  );
}
