import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate } from '#kit/browser/text.ts';
import { BreakableText } from '#kit/browser/ui/BreakableText.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Stack } from '#kit/browser/ui/Layout.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type FailedJob, workApi } from '../contract/work.ts';

type Work = OutputOf<typeof workApi.read>;

/** What failed: jobs, which an Admin may try again or give up, upkeep, messages and runs; and what Admins were told of. */
export function WorkTab() {
  const { address } = useListAddress();
  const before = Number(address.before) || null;
  return (
    <QueryBoundary query={useReadList(workApi.read, { before })}>
      {(work) => (
        <Stack gap={24}>
          <Jobs work={work} isFirst={before === null} />
          <Alerts alerts={work.alerts} />
          <Upkeep upkeep={work.upkeep} />
          <Messages messages={work.messages} />
          <Runs runs={work.runs} />
        </Stack>
      )}
    </QueryBoundary>
  );
}

function Jobs({ work: { jobs, before }, isFirst }: { work: Work; isFirst: boolean }) {
  const { t } = useLingui();
  const { turn } = useListAddress();
  const tryNow = useAction(workApi.tryNow);
  const giveUp = useAction(workApi.giveUp);
  const nextOf = ({ isRunning, isOver, nextAt }: FailedJob) => {
    if (isRunning) return t`Running now`;
    return isOver ? t`Never` : showMoment(nextAt);
  };
  return (
    <section>
      <h2>
        <Trans>Failed jobs</Trans>
      </h2>
      {tryNow.problem}
      {giveUp.problem}
      {jobs.length === 0 ? (
        <EmptyState message={<Trans>No job has failed.</Trans>} />
      ) : (
        <CardTable
          caption={<Trans>Jobs that failed and are not done yet</Trans>}
          heads={[t`Job`, t`Tries`, t`Error`, t`Next try`]}
          rows={jobs.map((job) => {
            const { id, tries, error } = job;
            const name = translate(job.does);
            return {
              key: id,
              cells: [name, tries, <BreakableText key="error" text={error} />, nextOf(job)],
              actions: (
                <Row gap={8} wrap>
                  <Button kind="quiet" aria-label={t`Try now: ${name}`} onClick={() => void tryNow.run({ id })}>
                    <Trans>Try now</Trans>
                  </Button>
                  <ConfirmButton
                    name={t`Give up: ${name}`}
                    label={<Trans>Give up</Trans>}
                    question={
                      <Trans>
                        A message is not sent; the records that a run has left are skipped. This can’t be undone.
                      </Trans>
                    }
                    confirm={<Trans>Give up</Trans>}
                    onConfirm={() => void giveUp.run({ id })}
                  />
                </Row>
              ),
            };
          })}
        />
      )}
      <Row gap={8}>
        {!isFirst && (
          <Button onClick={() => turn({})}>
            <Trans>Newest</Trans>
          </Button>
        )}
        {before !== null && (
          <Button onClick={() => turn({ before: String(before) })}>
            <Trans>Earlier</Trans>
          </Button>
        )}
      </Row>
    </section>
  );
}

function Alerts({ alerts }: Pick<Work, 'alerts'>) {
  const { t } = useLingui();
  if (alerts.length === 0) return null;
  return (
    <section>
      <h2>
        <Trans>Problems that Admins got an email about</Trans>
      </h2>
      <CardTable
        caption={<Trans>Problems that Admins got an email about</Trans>}
        heads={[t`Problem`, t`Began`, t`Last email`, t`Ended`]}
        rows={alerts.map(({ name, text, beganAt, toldAt, endedAt }) => ({
          key: name,
          cells: [
            translate(text),
            showMoment(beganAt),
            toldAt ? showMoment(toldAt) : '–',
            endedAt ? showMoment(endedAt) : '–',
          ],
        }))}
      />
    </section>
  );
}

function Upkeep({ upkeep }: Pick<Work, 'upkeep'>) {
  const { t } = useLingui();
  if (upkeep.length === 0) return null;
  return (
    <section>
      <h2>
        <Trans>Upkeep that fails</Trans>
      </h2>
      <CardTable
        caption={<Trans>Upkeep that fails</Trans>}
        heads={[t`Upkeep`, t`Tries`, t`Error`, t`Last done`]}
        rows={upkeep.map(({ name, tries, error, lastOkAt }) => ({
          key: name,
          cells: [name, tries, <BreakableText key="error" text={error} />, lastOkAt ? showMoment(lastOkAt) : '–'],
        }))}
      />
    </section>
  );
}

function Messages({ messages }: Pick<Work, 'messages'>) {
  const { t } = useLingui();
  if (messages.length === 0) return null;
  return (
    <section>
      <h2>
        <Trans>Messages that were not sent</Trans>
      </h2>
      <p>
        <Trans>Messages of the last 30 days. Send them again from their record.</Trans>
      </p>
      <CardTable
        caption={<Trans>Messages that were not sent</Trans>}
        heads={[t`Kind`, t`Channel`, t`Error`, t`Messages`]}
        rows={messages.map(({ template, channel, error, messages: count }) => ({
          key: `${template} ${channel} ${error}`,
          cells: [template, channel === 'sms' ? t`Text message` : t`Email`, error || '–', count],
        }))}
      />
    </section>
  );
}

function Runs({ runs }: Pick<Work, 'runs'>) {
  const { t } = useLingui();
  if (runs.length === 0) return null;
  return (
    <section>
      <h2>
        <Trans>Runs with failed records</Trans>
      </h2>
      <CardTable
        caption={<Trans>Runs of the last 30 days with failed records</Trans>}
        heads={[t`Run`, t`Started`, t`Failed`]}
        rows={runs.map(({ id, title, startedAt, failed }) => ({
          key: id,
          cells: [
            <PageLink key="run" to="/school-erp/run">
              {translate(title)}
            </PageLink>,
            showMoment(startedAt),
            <Plural key="failed" value={failed} one="# record" other="# records" />,
          ],
        }))}
      />
    </section>
  );
}
