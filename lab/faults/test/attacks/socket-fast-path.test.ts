// Serving plain requests from the socket gives the same answers and effects as serving them with node:http.
import { describeOrders } from './socket-orders.ts';
import { describeServices } from './socket-services.ts';

describeOrders(200);
describeServices(60);
