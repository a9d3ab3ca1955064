import { Trans, useLingui } from '@lingui/react/macro';
import { IconPhone } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FormOpener } from '#kit/browser/form/RecordForm.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { type Fact, Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { useServedCards } from '#kit/browser/record/ServedCards.tsx';
import { Timeline } from '#kit/browser/record/Timeline.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Alert } from '#kit/browser/ui/Chip.tsx';
import { Portrait } from '#kit/browser/ui/Initials.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { useMedia } from '#kit/browser/ui/use-media.ts';
import { showDate } from '#kit/contract/day.ts';
import type { ShownCard } from '#kit/contract/served-card.ts';
import { missing, studentList } from '../contract/list.ts';
import { type StudentHead, studentRecordApi } from '../contract/record.ts';
import { alertKinds, statusKinds } from '../ui/status.ts';
import { EnrollmentCard } from './EnrollmentCard.tsx';
import { FamilyCard } from './FamilyCard.tsx';
import { PersonalCard } from './PersonalCard.tsx';

const PhotoForm = lazy(async () => ({ default: (await import('./PhotoForm.tsx')).PhotoForm }));

// Behind other parts of the record.
const DocumentsCard = lazy(async () => ({ default: (await import('./DocumentsCard.tsx')).DocumentsCard }));
const NextCard = lazy(async () => ({ default: (await import('./NextCard.tsx')).NextCard }));
const AddressCard = lazy(async () => ({ default: (await import('./AddressCard.tsx')).AddressCard }));
const HealthCard = lazy(async () => ({ default: (await import('./HealthCard.tsx')).HealthCard }));
const LeavingCard = lazy(async () => ({ default: (await import('./LeavingCard.tsx')).LeavingCard }));
const SchoolingCard = lazy(async () => ({ default: (await import('./SchoolingCard.tsx')).SchoolingCard }));
const IdentityCard = lazy(async () => ({ default: (await import('./IdentityCard.tsx')).IdentityCard }));
const TagsCard = lazy(async () => ({ default: (await import('./TagsCard.tsx')).TagsCard }));
const CertificatesCard = lazy(async () => ({ default: (await import('./CertificatesCard.tsx')).CertificatesCard }));
const CorrectionCard = lazy(async () => ({ default: (await import('./CorrectionCard.tsx')).CorrectionCard }));
const StudentActs = lazy(async () => ({ default: (await import('./StudentActs.tsx')).StudentActs }));
const ChangeCategory = lazy(async () => ({ default: (await import('./ChangeStudents.tsx')).ChangeCategory }));
const TodayStrip = lazy(async () => ({ default: (await import('#kit/browser/record/TodayStrip.tsx')).TodayStrip }));
const AddStudent = lazy(async () => ({ default: (await import('./AddStudent.tsx')).AddStudent }));

/** /school-erp/student/student-list/{studentID}: the record of one student. */
export function StudentPage() {
  const { studentID } = useParams({ strict: false }) as { studentID: string };
  const { t } = useLingui();
  const head = useRead(studentRecordApi.read, { id: studentID });
  return (
    <>
      {head.error && !head.data && <PageHead title={t`Student`} />}
      <QueryBoundary query={head}>{(found) => <StudentRecord head={found} />}</QueryBoundary>
    </>
  );
}

export function StudentRecord({ head }: { head: StudentHead }) {
  const { t } = useLingui();
  const {
    id,
    name,
    status,
    alert,
    alertLevel,
    section,
    grade,
    rollNo,
    grNo,
    house,
    classTeacher,
    photo,
    leftOn,
    family,
    may,
    mergedFrom,
  } = head;
  const readsList = useMay(studentList.api.list);
  const cardsOf = useServedCards({ kind: 'student', head, own: ownCards, endpoint: studentRecordApi.card, isLater });
  const parts = [
    { key: 'now', title: t`Overview` },
    { key: 'school', title: t`School` },
    { key: 'papers', title: t`Documents` },
    { key: 'health', title: t`Health` },
    { key: 'history', title: t`History` },
  ].map((part) => ({
    ...part,
    cards: cardsOf(part.key),
    lead: part.key === 'now' && (
      <Suspense fallback={null}>
        <TodayStrip endpoint={studentRecordApi.today} id={id} />
      </Suspense>
    ),
  }));
  const place = section || grade;
  // On a phone the family is the first card below, and the card of the school is shown on request.
  const isPhone = useMedia('(max-width: 767px)');
  const { address } = useListAddress();
  const isOverview = (address.part ?? 'now') === 'now';
  const about = [place, rollNo !== null && t`Roll ${rollNo}`, t`GR ${grNo}`, house, isPhone && classTeacher];
  return (
    <RecordPage
      title={name}
      of={
        readsList
          ? { list: studentList, id, page: '/school-erp/student/student-list', title: t`Student List` }
          : undefined
      }
      picture={
        may.changePhoto ? (
          <Suspense fallback={<Portrait name={name} picture={photo} />}>
            <PhotoForm head={head} />
          </Suspense>
        ) : (
          <Portrait name={name} picture={photo} />
        )
      }
      about={about.filter(Boolean).join(' · ')}
      chips={
        <>
          {status === 'Active' && leftOn ? (
            <Status kind="warn">
              <Trans>Leaves on {showDate(leftOn)}</Trans>
            </Status>
          ) : (
            <Status kind={statusKinds[status]}>{translateOption(status)}</Status>
          )}
          {alert && <Alert kind={alertKinds[alertLevel]}>{alert}</Alert>}
        </>
      }
      contact={family?.primary && !(isPhone && isOverview) && <Primary {...family.primary} />}
      actions={
        <Suspense fallback={null}>
          <StudentActs head={head} />
        </Suspense>
      }
      below={
        mergedFrom && (
          <Notice role="status">
            <Trans>
              GR {mergedFrom} was merged into GR {grNo}.
            </Trans>
          </Notice>
        )
      }
      actedOn={{ kind: 'student', record: head }}
      parts={parts.filter(({ cards }) => cards.some(Boolean))}
    />
  );
}

/**
 * What is shown on request: the strip, the family, the child’s data, attendance and fees come first, which a call is about.
 * A phone has less room.
 */
function isLater({ part, order, key }: ShownCard) {
  if (part !== 'now') return false;
  return order > 20 ? 'everywhere' : ['today', 'address', 'family-page'].includes(key);
}

function HistoryCard({ head }: { head: StudentHead }) {
  return (
    <RecordCard isWide title={<Trans>History</Trans>} isTitleHidden>
      <Timeline endpoint={studentRecordApi.history} id={head.id} />
    </RecordCard>
  );
}

/** Who is responsible for the child today, and whom to call. */
function TodayCard({ head }: { head: StudentHead }) {
  const { t } = useLingui();
  const { branch, classTeacher, category, leftOn, family, missing: lacking, may } = head;
  const lacks = lacking?.map(translateOption).join(', ');
  const complete = lacking && Math.round((100 * (missing.length - lacking.length)) / missing.length);
  const facts: Fact[] = [
    { label: t`Branch`, value: branch },
    { label: t`Class teacher`, value: classTeacher },
    {
      label: t`Category`,
      value: category || (may.change && t`None`),
      action: may.change && (
        <Suspense fallback={null}>
          <ChangeCategory id={head.id} name={head.name} />
        </Suspense>
      ),
    },
    { label: t`Last day`, value: leftOn && showDate(leftOn) },
    ...(lacking
      ? [{ label: t`Record`, value: lacks ? t`${complete} % complete. Missing: ${lacks}` : t`Complete` }]
      : []),
    ...(family
      ? [
          {
            label: t`Brothers and sisters`,
            action: may.change && (
              <FormOpener title={t`Add brother or sister`} label={<Trans>Add…</Trans>}>
                {(onClose) => (
                  <Suspense fallback={null}>
                    <AddStudent sibling={head} onClose={onClose} />
                  </Suspense>
                )}
              </FormOpener>
            ),
            value:
              family.siblings.length === 0
                ? t`None`
                : family.siblings.map((sibling) => (
                    <div key={`${sibling.id} ${sibling.name}`}>
                      <Sibling {...sibling} />
                    </div>
                  )),
          },
        ]
      : []),
  ];
  return (
    <RecordCard title={<Trans>School</Trans>}>
      <Facts facts={facts} />
    </RecordCard>
  );
}

type CardProps = { head: StudentHead };

/** A card that is loaded when its part is opened. */
function loaded(Card: ComponentType<CardProps>) {
  return (props: CardProps) => (
    <Suspense fallback={null}>
      <Card {...props} />
    </Suspense>
  );
}

/** The components of this feature's cards. */
const ownCards = {
  next: loaded(NextCard),
  today: TodayCard,
  personal: PersonalCard,
  family: FamilyCard,
  address: loaded(AddressCard),
  tags: loaded(TagsCard),
  enrollment: EnrollmentCard,
  schooling: loaded(SchoolingCard),
  identity: loaded(IdentityCard),
  document: loaded(DocumentsCard),
  leaving: loaded(LeavingCard),
  certificate: loaded(CertificatesCard),
  correction: loaded(CorrectionCard),
  health: loaded(HealthCard),
  history: HistoryCard,
};

type Family = NonNullable<StudentHead['family']>;

const Primary = ({ name, relation, mobile }: NonNullable<Family['primary']>) => (
  <>
    <IconPhone size={16} aria-hidden /> {name} ({relation}) <PhoneLink mobile={mobile} />
  </>
);

const Sibling = ({ id, name, section }: Family['siblings'][number]) => (
  <>
    {id === null ? (
      name
    ) : (
      <PageLink to="/school-erp/student/student-list/$studentID" params={{ studentID: String(id) }}>
        {name}
      </PageLink>
    )}{' '}
    <span className="soft">{section}</span>
  </>
);
