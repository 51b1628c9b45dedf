import { createHash } from 'node:crypto';
import { Stack, Token } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import type { Stage } from '../stage/stage.ts';
import type { Alarms } from './alarms.ts';

export interface MonthlyBudgetProps {
  readonly budget: NonNullable<Stage['budget']>;
  readonly alarms: Alarms;
}

/** Percentages of the budget at which AWS notifies, once a month each. */
const TOLD = [
  { notificationType: 'FORECASTED', threshold: 100 },
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'ACTUAL', threshold: 100 },
] as const;

/**
 * The budget covers the account, since AWS tells stages apart only by activated tags. Source: AWS Cost Management,
 * "Creating an Amazon SNS topic for budget notifications".
 */
export class MonthlyBudget extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { budget: { monthly_dollars: amount }, alarms }: MonthlyBudgetProps,
  ) {
    super(scope, id);
    const { account, partition, region, stackName } = Stack.of(this);
    const anyBudget = `arn:${partition}:budgets::${account}:*`;
    alarms.let('notice', 'BudgetsOfThisAccount', 'budgets.amazonaws.com', anyBudget);
    const address = alarms.topics.notice.topicArn;
    const told = TOLD.map((one) => ({
      notification: { ...one, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
      subscribers: [{ subscriptionType: 'SNS', address }],
    }));
    const budget = new CfnBudget(this, 'Monthly', {
      budget: {
        // Budget names are unique in an account over all regions, and CloudFormation replaces a budget whose
        // notifications change. The deploying role may change only budgets that begin with the stack's name.
        budgetName: `${stackName}-${region}-${digestOf(told)}`,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount, unit: 'USD' },
      },
      notificationsWithSubscribers: told,
    });
    // AWS checks the topic's policy when it creates the budget.
    budget.node.addDependency(alarms);
  }
}

/** Hash of the notifications; the ARN of the stack's own topic is not known before it is deployed. */
const digestOf = (told: readonly object[]): string => {
  const text = JSON.stringify(told, (_, value) => (Token.isUnresolved(value) ? 'own' : value));
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
};
