import { describe, expect, test } from '@jest/globals';
import { alarmsIn } from '../../support/stacks/alarms.ts';
import { deployedWith, type Statement, synthesized } from '../../support/stacks/synthesized.ts';

/** Without releases that go back by themselves, which have alarms and metrics of their own. */
const LEAN = {
  metrics: 'few',
  releases: 'all_at_once',
  canary: { slug: 'status', tool: 'getStatus' },
} as const;
const NOTICES = 'arn:aws:sns:eu-central-1:111122223333:notices';

const stageWith = (options: Parameters<typeof deployedWith>[0]) =>
  synthesized({}, deployedWith(options)).service;

describe('"metrics": "few"', () => {
  const few = synthesized({}, deployedWith(LEAN));

  test('leaves the alarms without which nobody would know that the service is down or loses something', () => {
    expect([...alarmsIn(few).keys()].toSorted()).toEqual([
      'ActivityThrottled',
      'ActivityUndelivered',
      'BackupsLate',
      'Canary',
      'RouterThrottles',
      'ServerErrors',
      'TallyLate',
      'UnstorableCalls',
    ]);
  });

  test('makes no metrics of ours, no filters and no dashboard', () => {
    few.service.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
    few.service.resourceCountIs('AWS::Logs::MetricFilter', 0);
    const functions = Object.values(few.service.findResources('AWS::Lambda::Function'));
    expect(functions.length).toBeGreaterThan(5);
    expect(JSON.stringify(functions)).not.toContain('METRICS_NAMESPACE');
  });
});

interface BudgetResource {
  readonly Properties: {
    readonly Budget: object;
    readonly NotificationsWithSubscribers: readonly {
      readonly Notification: { readonly NotificationType: string; readonly Threshold: number };
      readonly Subscribers: readonly object[];
    }[];
  };
}

describe('a budget', () => {
  test('has another name where it tells another topic, since CloudFormation replaces it then', () => {
    const names = [NOTICES, `${NOTICES}-2`].map((notice_topic_arn) => {
      const service = stageWith({ budget: { monthly_dollars: 50 }, notice_topic_arn });
      const [one] = Object.values(service.findResources('AWS::Budgets::Budget')) as [
        BudgetResource,
      ];
      return (one.Properties.Budget as { BudgetName: string }).BudgetName;
    });

    expect(new Set(names).size).toBe(2);
  });

  const told = { budget: { monthly_dollars: 50 } };

  test('is of the whole account, and tells the topic of notices three times', () => {
    const service = stageWith({ ...told, notice_topic_arn: NOTICES });
    const [one] = Object.values(service.findResources('AWS::Budgets::Budget')) as [BudgetResource];
    const { Budget, NotificationsWithSubscribers } = one.Properties;

    expect(Budget).toEqual({
      BudgetName: expect.stringMatching(/^HostedMcp-prod-Service-eu-central-1-[0-9a-f]{8}$/),
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 50, Unit: 'USD' },
    });
    expect(
      NotificationsWithSubscribers.map(({ Notification: { NotificationType, Threshold } }) => [
        NotificationType,
        Threshold,
      ]),
    ).toEqual([
      ['FORECASTED', 100],
      ['ACTUAL', 80],
      ['ACTUAL', 100],
    ]);
    for (const { Subscribers } of NotificationsWithSubscribers) {
      expect(Subscribers).toEqual([{ SubscriptionType: 'SNS', Address: NOTICES }]);
    }
  });

  test('is let into the topic of the stack, for budgets of this account alone', () => {
    const statements = (options: Parameters<typeof deployedWith>[0]) =>
      Object.values(stageWith(options).findResources('AWS::SNS::TopicPolicy')).flatMap(
        ({ Properties }) => Properties.PolicyDocument.Statement as readonly Statement[],
      );
    const ofBudgets = statements(told).filter(
      ({ Principal }) => JSON.stringify(Principal) === '{"Service":"budgets.amazonaws.com"}',
    );

    expect(JSON.stringify(statements({}))).not.toContain('budgets.amazonaws.com');
    expect(ofBudgets).toMatchObject([
      { Effect: 'Allow', Action: 'sns:Publish', Condition: { ArnLike: expect.anything() } },
    ]);
    expect(JSON.stringify(ofBudgets[0]?.Condition)).toMatch(
      /aws:SourceArn.*:budgets::.*AWS::AccountId.*:\*/,
    );
  });

  test.each([{ monthly_dollars: 0 }, { monthly_dollars: '50' }, { dollars: 50 }, 50])(
    'is refused where it is %j, with what to write',
    (budget) => {
      expect(() => deployedWith({ budget } as never)).toThrow(/budget/);
    },
  );
});
