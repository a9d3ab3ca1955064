import { Trans, useLingui } from '@lingui/react/macro';
import { translate } from '#kit/browser/text.ts';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { showReaderDay } from '#kit/browser/ui/show.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { dashboardApi } from '../contract.ts';

/** What happened since the last school day, each line with its list; one quiet line where nothing did. */
export function Since({ changes: { since, lines, hasFailed } }: { changes: OutputOf<typeof dashboardApi.changes> }) {
  const { t } = useLingui();
  if (since === '') return null;
  const day = showReaderDay(since);
  return (
    <Row as="section" gap="4 16" wrap mt={12} aria-label={t`Since the last school day`}>
      {lines.length === 0 && !hasFailed ? (
        <Text tone="soft">
          <Trans>Nothing new since the last school day, {day}.</Trans>
        </Text>
      ) : (
        <Text tone="soft">
          <Trans>Since the last school day, {day}:</Trans>
        </Text>
      )}
      {lines.map(({ title, words, names, more, to }) => (
        <Text key={title.id} breaks="anywhere">
          <ServedLink to={`/school-erp/${to}`}>{translate(words)}</ServedLink>{' '}
          <Text as="span" tone="soft">
            {more > 0 ? t`${names.join(', ')} and ${more} more` : names.join(', ')}
          </Text>
        </Text>
      ))}
      {hasFailed && (
        <Text tone="soft">
          <Trans>Some of the news could not be loaded.</Trans>
        </Text>
      )}
    </Row>
  );
}
