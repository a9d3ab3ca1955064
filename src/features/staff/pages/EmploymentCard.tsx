import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FormOpener } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { type StaffPost, type StaffRecord, staffRecordApi } from '../contract/record.ts';
import { PostForm } from './PostForm.tsx';

interface Props {
  record: StaffRecord;
}

/** The post of a day, else the next one, else the last one; posts come with the latest first. */
const postOn = (posts: readonly StaffPost[], day: string): StaffPost | undefined =>
  posts.find(({ from, until }) => from <= day && (until === '' || until >= day)) ??
  posts.findLast(({ from }) => from > day) ??
  posts[0];

/** What a person works as today, and "Change post…" for those who keep the records. */
export function PostCard({ record }: Props) {
  const { t } = useLingui();
  const employment = useRead(staffRecordApi.employment, { id: record.id });
  const post = postOn(employment.data?.posts ?? [], today());
  const change = record.may.update && employment.data && (
    <FormOpener title={t`Change post…`} label={<Trans>Change post…</Trans>}>
      {(onClose) => <PostForm record={record} post={post} onClose={onClose} />}
    </FormOpener>
  );
  return (
    <RecordCard isWide title={<Trans>Post</Trans>} actions={change}>
      <QueryBoundary query={employment}>
        {() => (post ? <PostFacts post={post} /> : <EmptyState message={<Trans>No post yet.</Trans>} />)}
      </QueryBoundary>
    </RecordCard>
  );
}

function PostFacts({ post }: { post: StaffPost }) {
  const { t } = useLingui();
  const { reportsTo } = post;
  const manager = reportsTo && (
    <PageLink to="/school-erp/staff/view-staff/$userID" params={{ userID: String(reportsTo.id) }}>
      {reportsTo.name}
    </PageLink>
  );
  return (
    <Facts
      facts={[
        { label: t`Designation`, value: post.designation },
        { label: t`Department`, value: post.department },
        { label: t`Branch`, value: post.branch },
        { label: t`Staff category`, value: post.staffCategory },
        { label: t`Employment type`, value: post.employmentType },
        { label: t`Reports to`, value: manager },
        { label: t`From`, value: showDate(post.from) },
        { label: t`Until`, value: post.until && showDate(post.until) },
      ]}
    />
  );
}

/** The days of a row; both ends belong to it. */
function Period({ from, until }: { from: string; until: string }) {
  const [first, last] = [showDate(from), until && showDate(until)];
  return last ? (
    <Trans>
      {first} to {last}
    </Trans>
  ) : (
    <Trans>From {first}</Trans>
  );
}

/** Every post of a person, past and planned. */
export function PostsCard({ record }: Props) {
  const { t } = useLingui();
  const employment = useRead(staffRecordApi.employment, { id: record.id });
  return (
    <RecordCard isWide title={<Trans>All posts</Trans>}>
      <QueryBoundary query={employment}>
        {({ posts }) =>
          posts.length === 0 ? (
            <EmptyState message={<Trans>No post yet.</Trans>} />
          ) : (
            <ListRows
              caption={<Trans>All posts</Trans>}
              heads={[t`Designation`, t`Department`, t`Branch`, t`Period`]}
              rows={posts.map(({ id, from, until, designation, department, branch }) => ({
                key: id,
                cells: [designation, department, branch, <Period key="period" from={from} until={until} />],
              }))}
            />
          )
        }
      </QueryBoundary>
    </RecordCard>
  );
}

/** The spells of employment of a person. */
export function SpellsCard({ record }: Props) {
  const { t } = useLingui();
  const employment = useRead(staffRecordApi.employment, { id: record.id });
  return (
    <RecordCard isWide title={<Trans>Employment</Trans>}>
      <QueryBoundary query={employment}>
        {({ spells }) => (
          <ListRows
            caption={<Trans>Employment</Trans>}
            heads={[t`Period`, t`Reason for leaving`, t`Remark`]}
            rows={spells.map(({ id, joinedOn, lastDay, separationReason, remark }) => ({
              key: id,
              cells: [<Period key="period" from={joinedOn} until={lastDay} />, separationReason, remark],
            }))}
          />
        )}
      </QueryBoundary>
    </RecordCard>
  );
}
