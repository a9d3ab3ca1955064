import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Grid, Panel, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { type MissingOfChild, missingChildApi } from '../contract/missing-child.ts';

/** /school-erp/homework/homework-list/missing/{studentID}: all that one child has not submitted, to print. */
export function MissingChildPage() {
  const { t } = useLingui();
  const { studentID } = useParams({ strict: false }) as { studentID: string };
  const read = useRead(missingChildApi.read, { id: studentID });
  return (
    <>
      {!read.data && <PageHead title={t`Homework not submitted`} />}
      <QueryBoundary query={read}>{(found) => <Missing found={found} />}</QueryBoundary>
    </>
  );
}

function Missing({ found: { studentId, name, section, rows } }: { found: MissingOfChild }) {
  const { t } = useLingui();
  const subjects = [...Map.groupBy(rows, ({ subject }) => subject)];
  return (
    <>
      <PageHead title={t`Homework not submitted: ${name}`}>
        <Row gap={8} wrap noPrint>
          <Button onClick={() => window.print()}>
            <Trans>Print</Trans>
          </Button>
          <PageLink to="/school-erp/student/student-list/$studentID" params={{ studentID: String(studentId) }}>
            <Trans>Record of the student</Trans>
          </PageLink>
        </Row>
      </PageHead>
      <p className="soft">
        {section} · {showDate(today())}
      </p>
      {rows.length === 0 ? (
        <EmptyState message={<Trans>Nothing is missing in this academic year.</Trans>} />
      ) : (
        <Grid columns={1} gap={16}>
          {subjects.map(([subject, ofSubject]) => (
            <Panel key={subject}>
              <Text as="h2" size={16} mb={8}>
                {subject} ({ofSubject.length})
              </Text>
              <ul>
                {ofSubject.map(({ id, title, dueOn, status, seenOn }) => (
                  <Text key={id} as="li" py={4} breaks="anywhere">
                    <PageLink to="/school-erp/homework/homework-list/$homeworkID" params={{ homeworkID: String(id) }}>
                      {title}
                    </PageLink>{' '}
                    <span className="soft">
                      {translateOption(status)} · <Trans>since {showDate(dueOn, today())}</Trans> ·{' '}
                      {seenOn ? (
                        <Trans>seen by the family on {showDate(seenOn, today())}</Trans>
                      ) : (
                        <Trans>not seen by the family</Trans>
                      )}
                    </span>
                  </Text>
                ))}
              </ul>
            </Panel>
          ))}
        </Grid>
      )}
    </>
  );
}
