// Serving plain requests from the socket gives the same answers and effects as serving them with node:http.
import { describeOrders } from './socket-orders.ts';
import { describeServices } from './socket-services.ts';

describeOrders(300);
describeServices(100);
